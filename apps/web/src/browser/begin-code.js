// What is read and seen comes first. The code of a page that is whole without it waits in its template until the first picture
// is painted, a second at most, and not at all once somebody does something.
(function () {
  function begin() {
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
