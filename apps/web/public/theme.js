// Runs before the first paint, so that a chosen theme never flashes. src/ui/theme/theme.ts writes the choice.
(function () {
  var root = document.documentElement;
  var name = (location.protocol === 'https:' ? '__Secure-' : '') + 'stoa-theme';
  var choice = new RegExp('(?:^|; )' + name + '=(light|dark)').exec(document.cookie);
  if (choice) root.dataset.theme = choice[1];

  // The served page is a visitor's. A browser that has signed in before hides the visitors' links.
  try {
    if (localStorage.getItem('stoa.signed-in') === '1') root.dataset.returning = '';
  } catch {
    // Storage may be blocked. Then no user stays signed in.
  }

  // Colours the browser's own bars, light and dark. Without a choice they follow the system.
  function paintBars() {
    var theme = root.dataset.theme;
    // Empty until the styles have loaded. The server has written the colours of the first page.
    var ground = getComputedStyle(root).getPropertyValue('--paper').match(/#\w+/g) || [];
    document.querySelectorAll('meta[name=theme-color]').forEach(function (meta, dark) {
      if (ground[dark]) meta.content = ground[dark];
      if (theme) meta.media = dark === Number(theme === 'dark') ? 'all' : 'not all';
    });
  }
  paintBars();
  new MutationObserver(paintBars).observe(root, { attributeFilter: ['data-theme', 'data-palette'] });
})();
