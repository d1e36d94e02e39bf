// Runs before the first paint: sets the theme that was chosen here or on the site, and whether the visitor is signed
// in.
(function () {
  var root = document.documentElement;
  var site = document.currentScript.dataset.site;
  var secure = location.protocol === 'https:';
  var themeCookie = (secure ? '__Secure-' : '') + 'stoa-theme';
  root.classList.add('js');

  function cookie(name) {
    var found = ('; ' + document.cookie).split('; ' + name + '=')[1];
    return found && found.split(';')[0];
  }

  function show(theme) {
    root.dataset.theme = theme;
    // The colours of the browser's own interface: the template has the light colour first, then the dark one.
    document.querySelectorAll('meta[name=theme-color]').forEach(function (meta, dark) {
      meta.media = dark === Number(theme === 'dark') ? 'all' : 'not all';
    });
  }

  var choice = cookie(themeCookie);
  if (choice === 'light' || choice === 'dark') show(choice);
  // Keycloak's cookie of a session; over TLS the proxy adds this prefix (apps/edge).
  root.dataset.session = cookie((secure ? '__Host-' : '') + 'KEYCLOAK_SESSION') ? 'signed-in' : 'signed-out';

  // The same rule as in the site's src/ui/theme.ts: the common domain, or only this host.
  function sharedDomain() {
    var there;
    try {
      there = new URL(site).hostname.split('.').reverse();
    } catch (noAddress) {
      return '';
    }
    var here = location.hostname.split('.').reverse();
    var shared = [];
    while (shared.length < here.length && here[shared.length] === there[shared.length]) {
      shared.push(here[shared.length]);
    }
    var same = shared.length === here.length && here.length === there.length;
    return same || shared.length < 2 ? '' : shared.reverse().join('.');
  }

  window.stoaChooseTheme = function (theme) {
    show(theme);
    var rest = '; Path=/; SameSite=Lax' + (secure ? '; Secure' : '');
    var kept = themeCookie + '=' + theme + rest + '; Max-Age=31536000';
    var domain = sharedDomain();
    document.cookie = themeCookie + '=' + rest + '; Max-Age=0';
    if (domain) document.cookie = kept + '; Domain=' + domain;
    if (cookie(themeCookie) !== theme) document.cookie = kept;
  };

  // The site passes its theme in the URL, because hosts without a common domain share no cookie. It is removed from
  // the URL, so that a reload keeps a later choice.
  var address = new URL(location.href);
  var chosen = address.searchParams.get('stoa_theme');
  if (chosen === 'light' || chosen === 'dark') {
    window.stoaChooseTheme(chosen);
    address.searchParams.delete('stoa_theme');
    history.replaceState(history.state, '', address);
  }
})();
