// A page can be read before its code has loaded. Until then a click on a button waits for the code, and so
// does a link if typed text could be lost. No form is submitted. src/browser/early-input.ts continues from
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
    // A second click on the same link follows it, even if the code never loads.
    if ('clicked' in clicked.dataset || clicked.target) return false;
    return !(event.ctrlKey || event.metaKey || event.shiftKey) && isTyped();
  }
  // After hydration the field's default equals its value, so the flag keeps the typed state until the page
  // responds.
  function isTyped() {
    if (heard) return true;
    return Array.from(document.querySelectorAll('input, textarea')).some(function (field) {
      return field.value !== field.defaultValue;
    });
  }
  function recover(event) {
    var script = event.target;
    if (!(script instanceof HTMLScriptElement)) return;
    // Like src/browser/begin-code.js. The page is otherwise complete, and typed text stays.
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
  // Reloads once per build if the code fails to load: its release may be gone, and the current page has other
  // code.
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
  // The address changed to another page before hydration, which would not match the rendered page.
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
