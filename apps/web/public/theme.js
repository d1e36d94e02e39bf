// Runs before the first paint, so that a chosen theme never flashes. src/ui/theme.ts writes the choice.
(function () {
  var choice = /(?:^|; )stoa-theme=(light|dark)/.exec(document.cookie);
  if (choice) document.documentElement.dataset.theme = choice[1];
})();
