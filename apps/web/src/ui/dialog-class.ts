/** What lies under a dialog. */
export const dialogOverlayClass = 'animate-rise fixed inset-0 z-50 bg-[rgb(20_16_14/0.55)]';

export const dialogBoxClass =
  'bg-surface border-line shadow-lifted animate-rise rounded-card fixed inset-x-4 top-1/2 z-50 mx-auto -translate-y-1/2 border';
