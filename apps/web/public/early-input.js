// A page can be read before its code is there. Until then a click on a button waits for it, as one on a link does where
// something typed would be lost unasked, and no form is sent by the browser itself. src/browser/early-input.ts goes on from
// here.
(function () {
  var heard = false;
  function wait(event) {
    if ('interactive' in document.documentElement.dataset) return;
    var clicked = event.target instanceof Element && event.target.closest('button, a[href]');
    if (event.type === 'click' && !(clicked && waits(clicked, event))) return;
    event.preventDefault();
    event.stopPropagation();
    document.querySelectorAll('[data-clicked]').forEach(function (earlier) {
      delete earlier.dataset.clicked;
    });
    if (clicked) clicked.dataset.clicked = '';
  }
  function waits(clicked, event) {
    if (clicked.matches('button')) return true;
    // Clicked again, it leads on even if the code never comes.
    if ('clicked' in clicked.dataset || clicked.target) return false;
    return !(event.ctrlKey || event.metaKey || event.shiftKey) && isTyped();
  }
  // Once the code knows what was typed, a field says that it began with it; the page answers only later.
  function isTyped() {
    if (heard) return true;
    return Array.from(document.querySelectorAll('input, textarea')).some(function (field) {
      return field.value !== field.defaultValue;
    });
  }
  function recover(event) {
    var script = event.target;
    if (!(script instanceof HTMLScriptElement)) return;
    // As src/browser/begin-code.js does it: nothing else of the page is missing, and what was typed stays.
    if (script.src.includes('/assets/begin-code-')) begin();
    else if (script.type === 'module') reloadOnce(script);
  }
  function begin() {
    if (document.readyState === 'loading') return addEventListener('DOMContentLoaded', begin);
    var code = document.getElementById('code');
    if (!code) return;
    code.remove();
    document.head.append(document.importNode(code.content, true));
  }
  // The code itself does not come, as where its release is gone: the page of now has other code. Once for each build.
  function reloadOnce(script) {
    if (!navigator.onLine || isTyped()) return;
    var noted = 'stoa.reloaded.' + script.src;
    try {
      if (sessionStorage.getItem(noted)) return;
      sessionStorage.setItem(noted, '1');
    } catch {
      return;
    }
    location.reload();
  }
  // The address leads to another page than the server rendered: the code would take over a page that it does not expect.
  var rendered = location.pathname + location.search;
  function followStep() {
    if ('interactive' in document.documentElement.dataset) return;
    if (location.pathname + location.search !== rendered) location.reload();
  }
  addEventListener('popstate', followStep);
  addEventListener('error', recover, true);
  addEventListener(
    'input',
    function () {
      heard = true;
    },
    true,
  );
  addEventListener('click', wait, true);
  addEventListener('submit', wait, true);
})();
