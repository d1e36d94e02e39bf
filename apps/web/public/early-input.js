// A page can be read before its code is there. Until then a click on a button waits for it, and no form is sent by the
// browser itself. src/browser/early-input.ts goes on from here.
(function () {
  function wait(event) {
    if ('interactive' in document.documentElement.dataset) return;
    var button = event.target instanceof Element && event.target.closest('button');
    if (event.type === 'click' && !button) return;
    event.preventDefault();
    event.stopPropagation();
    document.querySelectorAll('[data-clicked]').forEach(function (earlier) {
      delete earlier.dataset.clicked;
    });
    if (button) button.dataset.clicked = '';
  }
  addEventListener('click', wait, true);
  addEventListener('submit', wait, true);
})();
