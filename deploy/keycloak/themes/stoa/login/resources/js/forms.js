const status = document.getElementById('form-status');
const page = document.body.dataset.pageId ?? '';

function busyLabel() {
  const key = page.replace(/^login-/, '').replace(/-([a-z])/g, (_, letter) => letter.toUpperCase());
  return status?.dataset[key] ?? status?.dataset.default ?? '';
}

const labelOf = (button) => (button instanceof HTMLInputElement ? button.value : button.textContent);

function setLabel(button, label) {
  if (button instanceof HTMLInputElement) button.value = label;
  else button.textContent = label;
}

function setBusy(form, submitter) {
  const button = submitter ?? form.querySelector('[type="submit"]');
  // A disabled button is not submitted, so it is disabled only after the form has been read.
  setTimeout(() => {
    for (const each of form.querySelectorAll('[type="submit"]')) each.disabled = true;
    if (!button || button.dataset.busy === 'off') return;
    button.dataset.label = labelOf(button);
    setLabel(button, busyLabel());
    if (status) status.textContent = busyLabel();
  });
}

document.addEventListener('submit', (event) => {
  if (event.defaultPrevented) return;
  if (event.target.dataset.sent) return event.preventDefault();
  event.target.dataset.sent = 'true';
  setBusy(event.target, event.submitter);
});

// The browser may show the same document again when the user goes back.
window.addEventListener('pageshow', (event) => {
  if (!event.persisted) return;
  for (const form of document.forms) delete form.dataset.sent;
  if (status) status.textContent = '';
  for (const button of document.querySelectorAll('[type="submit"]')) {
    button.disabled = false;
    if (button.dataset.label) setLabel(button, button.dataset.label);
  }
});

function describe(field) {
  const ids = [`form-help-text-after-${field.id}`, `input-error-container-${field.id}`];
  const present = ids.filter((id) => document.getElementById(id));
  if (present.length > 0) field.setAttribute('aria-describedby', present.join(' '));
}

// On the parent's authenticator page the labels refer to other ids than those of the fields.
function claimLabel(field) {
  if (field.labels?.length > 0 || field.hasAttribute('aria-label')) return;
  const label = field.closest('.pf-v5-c-form__group')?.querySelector('label');
  if (label && field.id) label.htmlFor = field.id;
}

const fields = document.querySelectorAll('main input:not([type="hidden"])');
for (const field of fields) {
  describe(field);
  claimLabel(field);
}
if (page === 'login-register') {
  for (const field of fields) field.required = true;
}
const first = document.querySelector('main [aria-invalid="true"]');
first?.focus();

// A live region announces only text that is inserted later. Each message names its field. The focus announces the
// first field with its error, so the messages of the others follow after their names.
const announcement = document.getElementById('form-errors');
if (announcement && first) {
  const refusals = [...fields].flatMap((field) => {
    const error = document
      .getElementById(`input-error-container-${field.id}`)
      ?.querySelector('.kc-feedback-text');
    if (!error) return [];
    const message = error.textContent.trim();
    // The label of a checkbox is a complete sentence.
    if (field.type === 'checkbox') return [message];
    const name = field.labels?.[0]?.textContent.replace(/\s*\*?\s*$/, '').trim();
    return [field === first ? `${name}.` : `${name}: ${message}`];
  });
  announcement.textContent = [announcement.dataset.intro, ...refusals].join(' ').replace(/\s+/g, ' ');
}

// Some of Keycloak's pages set tabindex, which puts their button before the header.
for (const element of document.querySelectorAll('[tabindex]')) {
  if (element.tabIndex > 0) element.removeAttribute('tabindex');
}
