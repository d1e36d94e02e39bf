// While a username is typed, shows its public address and whether it is available. Without scripts or connection to
// the site the answer to the form reports it.
const quietMs = 400;
const shortest = 3;
const longest = 30;

const { site } = document.querySelector('script[data-site]').dataset;
const field = document.getElementById('username');
const box = document.getElementById('username-check');
const address = box.querySelector('.username-address');
const verdict = box.querySelector('.username-verdict');
const offer = box.querySelector('.username-offer');
const refusal = document.getElementById('input-error-container-username');
const refused = field.value;
let timer;
let asking;

const described = [field.getAttribute('aria-describedby'), verdict.id].filter(Boolean);
field.setAttribute('aria-describedby', described.join(' '));

// Keycloak accepts it in lowercase too.
const typed = () => field.value.trim().toLowerCase();

function show(kind, about = '') {
  verdict.dataset.kind = kind;
  verdict.textContent = (box.dataset[kind] ?? '').replace('{0}', about);
}

/** The nearest valid name, without accents and with hyphens for gaps; empty if too little remains. */
function validFrom(name) {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9_-]+/g, '-');
  const valid = plain
    .replace(/^[_-]+/, '')
    .slice(0, longest)
    .replace(/[_-]+$/, '');
  return valid.length < shortest ? undefined : valid;
}

function suggest(name) {
  offer.hidden = name === undefined;
  offer.textContent = name ? box.dataset.offer.replace('{0}', `@${name}`) : '';
  offer.dataset.name = name ?? '';
}

/** The fault of a name, regardless of its availability. */
function flawOf(name) {
  if (/[^a-z0-9_-]/.test(name)) return 'characters';
  if (name.length < shortest) return 'short';
  return name.length > longest ? 'long' : undefined;
}

/** The site's answer about a name; undefined if the site is unreachable. */
async function stateOf(name, signal) {
  try {
    const answer = await fetch(`${site}/api/usernames/${name}`, { signal, credentials: 'omit' });
    return answer.ok ? (await answer.json()).state : undefined;
  } catch {
    return undefined;
  }
}

async function judge(name) {
  asking = new AbortController();
  const { signal } = asking;
  const flaw = flawOf(name);
  if (!flaw) {
    const state = await stateOf(name, signal);
    if (state && !signal.aborted) show(state, `@${name}`);
    return;
  }
  if (!isRefused()) show(flaw, String(name.length));
  const valid = validFrom(name);
  if (valid && (await stateOf(valid, signal)) === 'free' && !signal.aborted) suggest(valid);
}

// One message at a time: that of the submitted form, until another name is typed.
const isRefused = () => refusal.childElementCount > 0;

function clearRefusal() {
  refusal.replaceChildren();
  field.setAttribute('aria-invalid', 'false');
}

function follow() {
  const name = typed();
  clearTimeout(timer);
  asking?.abort();
  show('');
  suggest();
  if (field.value !== refused) clearRefusal();
  const flaw = flawOf(name);
  address.hidden = flaw !== undefined || isRefused();
  address.querySelector('strong').textContent = `${new URL(site).host}/@${name}`;
  // Announced after a pause, not at each key.
  if (name && (flaw || !isRefused())) timer = setTimeout(() => void judge(name), quietMs);
}

field.addEventListener('input', follow);
offer.addEventListener('click', () => {
  field.value = offer.dataset.name;
  field.focus();
  follow();
});
// Keycloak does not know the usernames of closed accounts, so the page refuses names that the site reports as
// reserved.
field.form.addEventListener('submit', (event) => {
  if (verdict.dataset.kind !== 'reserved') return;
  event.preventDefault();
  field.setAttribute('aria-invalid', 'true');
  field.focus();
});
// After a refused form the field already contains the name.
if (field.value) follow();
