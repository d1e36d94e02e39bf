import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import Cropper from 'react-easy-crop';
import 'react-easy-crop/react-easy-crop.css';
import { Button } from '../../ui/button.tsx';
import { FieldError } from '../../ui/fields/field.tsx';
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx';
import { decodePicture, type PictureSize } from './picture-decoding.ts';
import { addressOf, type CropArea, encodeCrop, fileOf } from './picture-encoding.ts';
import { faceShape } from '../../ui/pictures/avatar.tsx';
import { Modal } from '../../ui/overlays/modal.tsx';

const mostZoom = 4;
const zoomStep = 0.1;

interface CropDialogProps {
  file: File;
  size: PictureSize;
  /** Width divided by height of the crop. */
  ratio: number;
  /** A face appears in an arch. */
  isFace: boolean;
  limitBytes: number;
  /** Why the picture has to be made smaller, if it is too large. */
  tooLarge: string | undefined;
  onUse: (made: File) => void;
  onCancel: () => void;
  /** Moves the focus on. */
  onClosed: () => void;
}

/** Crops a picture to its shape and encodes it under the size limit, before the upload. */
export default function CropDialog(props: CropDialogProps) {
  const { file, size, ratio, isFace, limitBytes, tooLarge, onUse, onCancel, onClosed } = props;
  const picture = useDecoded(file, size);
  const [area, setArea] = useState<CropArea>();
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(false);
  const open = useRef(true);
  useEffect(() => {
    open.current = true;
    return () => {
      open.current = false;
    };
  }, []);

  const use = async () => {
    if (!picture.bitmap || !area || busy) return;
    setBusy(true);
    setFailed(false);
    try {
      const made = fileOf(await encodeCrop(picture.bitmap, area, limitBytes), file);
      if (open.current) onUse(made);
    } catch (error) {
      console.error(error);
      setFailed(true);
      setBusy(false);
    }
  };

  return (
    // A click outside does not close it: an accidental one would lose the crop.
    <Modal
      title="Crop Your Picture"
      description={
        <div className="text-sm">
          <p>
            Drag it, or use the arrow keys, to choose what is shown. It is made small enough before it is
            sent.
          </p>
          {tooLarge && <p className="mt-1">{tooLarge}</p>}
        </div>
      }
      onCancel={onCancel}
      onClosed={onClosed}
      className="flex max-h-[calc(100dvh-2rem)] max-w-xl flex-col gap-5 overflow-y-auto p-5 sm:p-7"
    >
      {picture.failed ? (
        <FieldError id="crop" error="This browser could not open the picture. Choose a smaller one." />
      ) : picture.address ? (
        <Cut address={picture.address} ratio={ratio} isFace={isFace} disabled={busy} onArea={setArea} />
      ) : (
        <>
          <LoadingText>Opening your picture...</LoadingText>
          <Skeleton className="h-72" />
        </>
      )}
      <div role="alert" className="empty:absolute">
        {failed && <FieldError id="crop" error="The picture could not be made smaller. Please try again." />}
      </div>
      <div className="flex flex-wrap justify-end gap-3">
        <Button look="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button onClick={() => void use()} disabled={busy || !area || !picture.bitmap}>
          {busy ? 'Cropping...' : 'Use Picture'}
        </Button>
      </div>
    </Modal>
  );
}

interface CutProps {
  address: string;
  ratio: number;
  isFace: boolean;
  disabled: boolean;
  onArea: (area: CropArea) => void;
}

function Cut({ address, ratio, isFace, disabled, onArea }: CutProps) {
  const id = useId();
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  const zoomBy = (step: number) =>
    setZoom((now) => Math.min(mostZoom, Math.max(1, Math.round((now + step) * 10) / 10)));
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === '+' || event.key === '=' ? zoomStep : event.key === '-' ? -zoomStep : 0;
    // With a modifier key it is the browser's own zoom.
    if (step === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    zoomBy(step);
  };
  return (
    // The wrapper handles keys that bubble up. The elements within it take the focus.
    <div role="presentation" onKeyDown={onKeyDown} inert={disabled} className="grid gap-4">
      <div className="bg-sunk rounded-card relative h-[min(20rem,45dvh)] overflow-hidden">
        <Cropper
          image={address}
          crop={crop}
          zoom={zoom}
          maxZoom={mostZoom}
          aspect={ratio}
          classes={{ mediaClassName: 'behind-transparent', cropAreaClassName: isFace ? faceShape : '' }}
          keyboardStep={8}
          disableAutomaticStylesInjection
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropAreaChange={(_, pixels) => onArea(pixels)}
          mediaProps={{ alt: '' }}
          cropperProps={{
            role: 'application',
            'aria-label': 'What is shown of the picture',
            'aria-describedby': `${id}-keys`,
          }}
        />
      </div>
      <p id={`${id}-keys`} className="sr-only">
        Arrow keys move the picture, plus and minus zoom.
      </p>
      <label htmlFor={id} className="flex items-center gap-4 font-semibold">
        Zoom
        <input
          id={id}
          type="range"
          min={1}
          max={mostZoom}
          step={zoomStep}
          value={zoom}
          aria-valuetext={`${Math.round(zoom * 100)} %`}
          onChange={({ target }) => setZoom(target.valueAsNumber)}
          className="accent-accent h-11 min-w-0 flex-1"
        />
      </label>
    </div>
  );
}

interface Decoded {
  bitmap?: ImageBitmap;
  address?: string;
  failed?: boolean;
}

function useDecoded(file: File, size: PictureSize): Decoded {
  const [decoded, setDecoded] = useState<Decoded>({});
  useEffect(() => {
    let left = false;
    let made: Decoded = {};
    const letGo = () => {
      made.bitmap?.close();
      if (made.address) URL.revokeObjectURL(made.address);
    };
    const decode = async () => {
      const bitmap = await decodePicture(file, size);
      made = { bitmap };
      made.address = await addressOf(bitmap);
      if (left) letGo();
      else setDecoded(made);
    };
    decode().catch((error: unknown) => {
      console.error(error);
      if (!left) setDecoded({ failed: true });
    });
    return () => {
      left = true;
      letGo();
    };
  }, [file, size]);
  return decoded;
}
