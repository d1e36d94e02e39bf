// Runs before the first paint, so that a chosen theme never flashes. src/ui/theme.ts writes the choice.
(function () {
  var root = document.documentElement;
  var name = (location.protocol === 'https:' ? '__Secure-' : '') + 'stoa-theme';
  var choice = new RegExp('(?:^|; )' + name + '=(light|dark)').exec(document.cookie);
  if (choice) root.dataset.theme = choice[1];

  // The page as it comes is a visitor's: whoever was signed in here does not see those links first.
  try {
    if (localStorage.getItem('stoa.signed-in') === '1') root.dataset.returning = '';
  } catch {
    // Storage may be blocked, and then nobody stays signed in.
  }

  // The browser's own bars, in the light colour and the dark one: without a choice they follow the system.
  function paintBars() {
    var theme = root.dataset.theme;
    // None while the style is on its way; the server has written those of the first page.
    var ground = getComputedStyle(root).getPropertyValue('--paper').match(/#\w+/g) || [];
    document.querySelectorAll('meta[name=theme-color]').forEach(function (meta, dark) {
      if (ground[dark]) meta.content = ground[dark];
      if (theme) meta.media = dark === Number(theme === 'dark') ? 'all' : 'not all';
    });
  }
  paintBars();
  new MutationObserver(paintBars).observe(root, { attributeFilter: ['data-theme', 'data-palette'] });
})();
