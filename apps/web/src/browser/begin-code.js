// Text and the first picture come first. A page is complete without its code, which waits in a template. It
// begins after the first picture is painted, after a second, or with the first input.
(function () {
  // The menu of a signed-in user needs the code.
  var wanted = 'returning' in document.documentElement.dataset;
  function begin() {
    wanted = true;
    // Embedded answers are at the end of the page, and added scripts do not wait for it.
    if (document.readyState === 'loading') return;
    var code = document.getElementById('code');
    if (!code) return;
    code.remove();
    document.head.append(document.importNode(code.content, true));
  }
  // The second frame from now begins after the first one is painted.
  function beginAfterPaint() {
    requestAnimationFrame(function () {
      requestAnimationFrame(begin);
    });
  }
  addEventListener('DOMContentLoaded', function () {
    if (wanted) return begin();
    var picture = document.querySelector('img[fetchpriority=high]');
    // Background tabs paint nothing, and a picture may never load.
    setTimeout(begin, 1000);
    if (!picture || picture.complete) return beginAfterPaint();
    picture.addEventListener('load', beginAfterPaint);
    picture.addEventListener('error', beginAfterPaint);
  });
  ['pointerdown', 'keydown', 'click'].forEach(function (type) {
    addEventListener(type, begin, { capture: true, once: true });
  });
})();
