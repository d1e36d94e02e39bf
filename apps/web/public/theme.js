// Runs before the first paint, so that a chosen theme never flashes. src/ui/theme.ts writes the choice.
(function () {
  try {
    var choice = localStorage.getItem('stoa.theme');
    if (choice === 'light' || choice === 'dark') document.documentElement.dataset.theme = choice;
  } catch (storageIsBlocked) {
    // The system's theme is shown.
  }
})();
