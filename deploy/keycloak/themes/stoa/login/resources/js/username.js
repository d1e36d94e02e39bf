// Shows the public address that a username becomes, and whether it can be had, while it is typed. Whoever has no scripts,
// or cannot reach the site from here, is told by the answer to the form.
const quietMs = 400;
const shortest = 3;
const longest = 30;

const { site } = document.querySelector('script[data-site]').dataset;
const field = document.getElementById('username');
const box = document.getElementById('username-check');
const address = box.querySelector('.username-address');
const verdict = box.querySelector('.username-verdict');
let timer;
let asking;

const described = [field.getAttribute('aria-describedby'), verdict.id].filter(Boolean);
field.setAttribute('aria-describedby', described.join(' '));

// Keycloak takes it in lowercase, too.
const typed = () => field.value.trim().toLowerCase();

function tell(kind, about = '') {
  verdict.dataset.kind = kind;
  verdict.textContent = (box.dataset[kind] ?? '').replace('{0}', about);
}

/** What is wrong with a name, whoever has it. */
function flawOf(name) {
  if (/[^a-z0-9_-]/.test(name)) return 'characters';
  if (name.length < shortest) return 'short';
  return name.length > longest ? 'long' : undefined;
}

async function judge(name) {
  const flaw = flawOf(name);
  if (flaw) return tell(flaw, String(name.length));
  asking = new AbortController();
  const { signal } = asking;
  try {
    const answer = await fetch(`${site}/api/usernames/${name}`, { signal, credentials: 'omit' });
    if (!answer.ok) return;
    const { state } = await answer.json();
    if (!signal.aborted) tell(state, `@${name}`);
  } catch {
    // Nothing is known of it, so nothing is said.
  }
}

function follow() {
  const name = typed();
  clearTimeout(timer);
  asking?.abort();
  tell('');
  address.hidden = name === '';
  address.querySelector('strong').textContent = `${new URL(site).host}/@${name}`;
  // Read out once somebody pauses, not at each key.
  if (name) timer = setTimeout(() => void judge(name), quietMs);
}

field.addEventListener('input', follow);
// The answer to a refused form has the name in it already.
if (field.value) follow();
