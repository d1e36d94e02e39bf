const actions = document.getElementById('recovery-actions');
const confirmation = document.getElementById('kcRecoveryCodesConfirmationCheck');
const save = document.getElementById('saveRecoveryAuthnCodesBtn');

function codes() {
  const items = [...document.querySelectorAll('#kc-recovery-codes-list li')];
  return items.map((item, index) => `${index + 1}: ${item.textContent.trim()}`).join('\r\n');
}

function file() {
  const { header, footer, date } = actions.dataset;
  return [header, codes(), footer, `${date} ${new Date().toLocaleString()}`].join('\r\n\r\n');
}

const allowSave = () => {
  save.disabled = !confirmation.checked;
};
confirmation.addEventListener('change', allowSave);

document.getElementById('printRecoveryCodes').addEventListener('click', () => print());

document.getElementById('downloadRecoveryCodes').addEventListener('click', () => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([file()], { type: 'text/plain' }));
  link.download = actions.dataset.filename;
  link.click();
  URL.revokeObjectURL(link.href);
});

const copied = document.getElementById('recovery-status');

document.getElementById('copyRecoveryCodes').addEventListener('click', async () => {
  // A live region announces the same text again only if it was empty in between.
  copied.textContent = '';
  try {
    await navigator.clipboard.writeText(codes());
    copied.textContent = actions.dataset.copied;
  } catch {
    // Without permission, or on a page without TLS, the codes stay selected for copying by keyboard.
    getSelection().selectAllChildren(document.getElementById('kc-recovery-codes-list'));
    copied.textContent = actions.dataset.notCopied;
  }
});

// The page arrives with these controls disabled, so that no click is lost before this script runs.
for (const button of actions.querySelectorAll('button')) button.disabled = false;
allowSave();
