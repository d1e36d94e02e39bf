const actions = document.getElementById('recovery-actions');
const confirmation = document.getElementById('kcRecoveryCodesConfirmationCheck');
const save = document.getElementById('saveRecoveryAuthnCodesBtn');
const status = document.getElementById('form-status');

function codes() {
  const items = [...document.querySelectorAll('#kc-recovery-codes-list li')];
  return items.map((item, index) => `${index + 1}: ${item.textContent.trim()}`).join('\r\n');
}

function file() {
  const { header, footer, date } = actions.dataset;
  return [header, codes(), footer, `${date} ${new Date().toLocaleString()}`].join('\r\n\r\n');
}

confirmation.addEventListener('change', () => {
  save.disabled = !confirmation.checked;
});

document.getElementById('printRecoveryCodes').addEventListener('click', () => print());

document.getElementById('downloadRecoveryCodes').addEventListener('click', () => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([file()], { type: 'text/plain' }));
  link.download = actions.dataset.filename;
  link.click();
  URL.revokeObjectURL(link.href);
});

document.getElementById('copyRecoveryCodes').addEventListener('click', async ({ currentTarget }) => {
  await navigator.clipboard.writeText(codes());
  currentTarget.textContent = actions.dataset.copied;
  status.textContent = actions.dataset.copied;
});
