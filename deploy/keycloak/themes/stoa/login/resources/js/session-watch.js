// In place of the parent's authChecker.js, which looks for Keycloak's cookies under the names that Keycloak gives them:
// over TLS the proxy in front of it gives them names that only this host can set.
const prefix = location.protocol === 'https:' ? '__Host-' : '';
const { elsewhere, authSession } = document.getElementById('session-watch').dataset;

function cookie(name) {
  const start = `${prefix}${name}=`;
  const found = document.cookie.split('; ').find((one) => one.startsWith(start));
  return found?.slice(start.length).replaceAll('"', '');
}

// Somebody who signs in here in another tab is led on from this one too.
if (!cookie('KEYCLOAK_SESSION')) {
  const watch = setInterval(() => {
    if (!cookie('KEYCLOAK_SESSION')) return;
    clearInterval(watch);
    location.href = elsewhere;
  }, 2000);
  // This very page is about to make the session, or is left.
  for (const leaving of ['submit', 'beforeunload']) addEventListener(leaving, () => clearInterval(watch));
}

// A sign-in begun in another tab has taken the place of this one.
if (authSession) {
  setTimeout(() => {
    const latest = cookie('KC_AUTH_SESSION_HASH');
    if (latest && latest !== authSession) location.reload();
  }, 1000);
}
