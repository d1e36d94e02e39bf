import { useMemo } from 'react';
import { encode } from 'uqr';
import { saveFile } from '../../browser/save-file.ts';
import { Button } from '../../ui/button.tsx';
import { DownloadIcon } from '../../ui/icons/download-icon.tsx';

/** The white margin that a reader needs around the code, in modules (ISO 18004). */
const quietZone = 4;
const pixelsPerModule = 24;

interface QrCodeProps {
  address: string;
  filename: string;
}

/** The QR code of an address, on screen and as files for print. */
export default function QrCode({ address, filename }: QrCodeProps) {
  const { size, data } = useMemo(() => encode(address, { ecc: 'M', border: quietZone }), [address]);
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [[x, y] as const] : [])));
  const path = dark.map(([x, y]) => `M${x} ${y}h1v1h-1z`).join('');

  const saveSvg = () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>\n`;
    saveFile(new Blob([svg], { type: 'image/svg+xml' }), `${filename}.svg`);
  };
  const savePng = () => {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = size * pixelsPerModule;
    const context = canvas.getContext('2d');
    if (!context) return;
    context.scale(pixelsPerModule, pixelsPerModule);
    context.fillStyle = '#fff';
    context.fillRect(0, 0, size, size);
    context.fillStyle = '#000';
    for (const [x, y] of dark) context.fillRect(x, y, 1, 1);
    canvas.toBlob((blob) => blob && saveFile(blob, `${filename}.png`));
  };

  return (
    <div className="grid justify-items-center gap-4">
      <svg
        role="img"
        aria-label={`QR code of ${address}`}
        viewBox={`0 0 ${size} ${size}`}
        shapeRendering="crispEdges"
        className="border-line rounded-field w-full max-w-60 border"
      >
        <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
        <path d={path} />
      </svg>
      <div className="flex flex-wrap gap-2">
        <Button look="quiet" size="small" onClick={saveSvg}>
          <DownloadIcon /> SVG
        </Button>
        <Button look="quiet" size="small" onClick={savePng}>
          <DownloadIcon /> PNG
        </Button>
      </div>
    </div>
  );
}
