// What is read and seen comes first. The code of a page that is whole without it waits in its template until the first picture
// is painted, a second at most, and not at all once somebody does something.
(function () {
  // Who was signed in has no menu before the code knows who is here.
  var wanted = 'returning' in document.documentElement.dataset;
  function begin() {
    wanted = true;
    // Code that a script adds does not wait for the page, whose end has the answers that it reads.
    if (document.readyState === 'loading') return;
    var code = document.getElementById('code');
    if (!code) return;
    code.remove();
    document.head.append(document.importNode(code.content, true));
  }
  // The second frame from now begins when the first one is on screen.
  function beginAfterPaint() {
    requestAnimationFrame(function () {
      requestAnimationFrame(begin);
    });
  }
  addEventListener('DOMContentLoaded', function () {
    if (wanted) return begin();
    var picture = document.querySelector('img[fetchpriority=high]');
    // A tab behind others paints nothing, and a picture may never come.
    setTimeout(begin, 1000);
    if (!picture || picture.complete) return beginAfterPaint();
    picture.addEventListener('load', beginAfterPaint);
    picture.addEventListener('error', beginAfterPaint);
  });
  ['pointerdown', 'keydown', 'click'].forEach(function (type) {
    addEventListener(type, begin, { capture: true, once: true });
  });
})();
