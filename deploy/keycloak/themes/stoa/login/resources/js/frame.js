const root = document.documentElement;
const system = matchMedia('(prefers-color-scheme: dark)');
const themeSwitch = document.getElementById('theme-switch');
const toggle = document.getElementById('menu-toggle');
const menu = document.getElementById('menu');

const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : system.matches);

function showTheme() {
  root.classList.toggle('dark', isDark());
  themeSwitch.setAttribute('aria-pressed', String(isDark()));
}

themeSwitch.addEventListener('click', () => {
  window.stoaChooseTheme(isDark() ? 'light' : 'dark');
  showTheme();
});
system.addEventListener('change', showTheme);
showTheme();

function openMenu(open) {
  menu.classList.toggle('open', open);
  toggle.setAttribute('aria-expanded', String(open));
  toggle.setAttribute('aria-label', open ? toggle.dataset.close : toggle.dataset.open);
}

toggle.addEventListener('click', () => openMenu(toggle.getAttribute('aria-expanded') !== 'true'));
menu.addEventListener('click', (event) => event.target.closest('a') && openMenu(false));
// On the document, because the toggle is outside of the menu and a tap may not focus it.
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || toggle.getAttribute('aria-expanded') !== 'true') return;
  openMenu(false);
  toggle.focus();
});
