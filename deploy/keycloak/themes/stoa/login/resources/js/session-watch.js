// Replaces the parent's authChecker.js, which expects Keycloak's original cookie names. Over TLS the proxy gives them
// names that only this host can set.
const prefix = location.protocol === 'https:' ? '__Host-' : '';
const { elsewhere, authSession } = document.getElementById('session-watch').dataset;

function cookie(name) {
  const start = `${prefix}${name}=`;
  const found = document.cookie.split('; ').find((one) => one.startsWith(start));
  return found?.slice(start.length).replaceAll('"', '');
}

// After a sign-in in another tab, this tab continues too.
if (!cookie('KEYCLOAK_SESSION')) {
  const watch = setInterval(() => {
    if (!cookie('KEYCLOAK_SESSION')) return;
    clearInterval(watch);
    location.href = elsewhere;
  }, 2000);
  // This page is about to create the session, or is being left.
  for (const leaving of ['submit', 'beforeunload']) addEventListener(leaving, () => clearInterval(watch));
}

// A sign-in that started in another tab has replaced this one.
if (authSession) {
  setTimeout(() => {
    const latest = cookie('KC_AUTH_SESSION_HASH');
    if (latest && latest !== authSession) location.reload();
  }, 1000);
}
