import { encode } from 'uqr';

/** Adds the address of a public page and its QR code to printouts. */
export function printAddress(): void {
  let printed: HTMLElement | undefined;
  addEventListener('beforeprint', () => {
    const main = document.getElementById('main');
    // Other pages are private, and their addresses may hold a key.
    if (!main || !/^\/(profile\/|@)/.test(location.pathname)) return;
    printed?.remove();
    printed = addressCard(location.origin + location.pathname);
    main.after(printed);
  });
  addEventListener('afterprint', () => printed?.remove());
}

function addressCard(address: string): HTMLElement {
  const card = document.createElement('p');
  card.dataset.printedAddress = '';
  card.append(qrCode(address), address);
  return card;
}

function qrCode(address: string): SVGElement {
  const { size, data } = encode(address, { ecc: 'M', border: 4 });
  const namespace = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(namespace, 'svg');
  svg.setAttribute('viewBox', `0 0 ${size} ${size}`);
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', `QR code of ${address}`);
  const path = document.createElementNS(namespace, 'path');
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  path.setAttribute('d', dark.join(''));
  svg.append(path);
  return svg;
}
