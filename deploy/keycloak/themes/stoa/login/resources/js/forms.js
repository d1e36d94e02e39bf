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
  // A disabled button sends no name and value, so it is disabled only after the form has been read.
  setTimeout(() => {
    for (const each of form.querySelectorAll('[type="submit"]')) each.disabled = true;
    if (!button) return;
    button.dataset.label = labelOf(button);
    setLabel(button, busyLabel());
    if (status) status.textContent = busyLabel();
  });
}

document.addEventListener('submit', (event) => {
  if (!event.defaultPrevented) setBusy(event.target, event.submitter);
});

// The browser may show this very document again when the person goes back.
window.addEventListener('pageshow', (event) => {
  if (!event.persisted) return;
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

// The authenticator page of the parent names other ids in its labels than its fields have.
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
document.querySelector('main [aria-invalid="true"]')?.focus();

// Some of Keycloak's pages number their tab order, which puts their button before the header.
for (const element of document.querySelectorAll('[tabindex]')) {
  if (element.tabIndex > 0) element.removeAttribute('tabindex');
}
