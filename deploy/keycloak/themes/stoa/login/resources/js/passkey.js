// Replaces the parent's inline scripts; the page contains only their data.
const input = JSON.parse(document.getElementById('passkey').textContent);
const form = document.getElementById(input.form);
const given = (value) => (value === 'not specified' ? undefined : value);
const ids = (list) =>
  list
    .split(',')
    .filter(Boolean)
    .map((id) => ({ type: 'public-key', id }));

function send(fields) {
  for (const [name, value] of Object.entries(fields)) form.elements[name].value = value ?? '';
  form.requestSubmit();
}

async function register() {
  const residentKey =
    given(input.residentKey) ?? { Yes: 'required', No: 'discouraged' }[given(input.requireResidentKey)];
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON({
    challenge: input.challenge,
    rp: { id: input.rpId, name: input.rpEntityName },
    user: { id: input.userid, name: input.username, displayName: input.username },
    pubKeyCredParams: input.algorithms.map((alg) => ({ type: 'public-key', alg })),
    attestation: given(input.attestation),
    authenticatorSelection: {
      authenticatorAttachment: given(input.attachment),
      residentKey,
      requireResidentKey: residentKey === 'required',
      userVerification: given(input.userVerification),
    },
    timeout: input.timeout ? input.timeout * 1000 : undefined,
    excludeCredentials: ids(input.known),
  });
  const made = await navigator.credentials.create({ publicKey });
  const { response, rawId, authenticatorAttachment } = made.toJSON();
  send({
    clientDataJSON: response.clientDataJSON,
    attestationObject: response.attestationObject,
    publicKeyCredentialId: rawId,
    transports: response.transports?.join(),
    authenticatorAttachment,
    authenticatorLabel: prompt(input.labelPrompt, input.label) ?? input.label,
  });
}

async function authenticate() {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON({
    challenge: input.challenge,
    rpId: input.rpId,
    userVerification: given(input.userVerification),
    timeout: input.timeout ? input.timeout * 1000 : undefined,
    allowCredentials: ids(input.known),
  });
  const { response, id } = (await navigator.credentials.get({ publicKey })).toJSON();
  send({
    clientDataJSON: response.clientDataJSON,
    authenticatorData: response.authenticatorData,
    signature: response.signature,
    credentialId: id,
    userHandle: response.userHandle,
  });
}

async function begin() {
  try {
    if (!window.PublicKeyCredential?.parseCreationOptionsFromJSON) throw input.unsupported;
    await (input.form === 'register' ? register() : authenticate());
  } catch (error) {
    send({ error });
  }
}

const button = document.getElementById(input.button);
button.addEventListener('click', () => void begin(), { once: true });
// The page arrives with the button disabled, so that no click is lost before this script runs.
button.disabled = false;
if (input.form === 'webauth') button.focus();
