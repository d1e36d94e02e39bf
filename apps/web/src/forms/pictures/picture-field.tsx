import { type Picture as PictureFacts, pictureContentTypes } from '@stoa/contracts';
import { classNames } from '../../ui/class-names.ts';
import { UploadIcon } from '../../ui/icons/editor-icons.tsx';
import { lazyPart } from '../../browser/lazy-part.tsx';
import { Picture } from '../../ui/pictures/picture.tsx';
import {
  UploadButtons,
  UploadField,
  type UploadFieldProps,
  UploadProgress,
} from '../uploads/upload-field.tsx';
import type { PictureUpload } from './use-picture.ts';
import type { UploadState } from '../uploads/use-upload.ts';

/** Loaded on demand: most pictures need no cropping. */
const CropDialog = lazyPart(() => import('./crop-dialog.tsx'), { name: 'The tool that crops your picture' });

const boxes = { square: 'size-28', wide: 'aspect-3/2 w-full max-w-44', banner: 'aspect-3/1 w-full max-w-72' };
type Shape = keyof typeof boxes;

interface PictureFieldProps extends UploadFieldProps {
  upload: PictureUpload;
  picture: PictureFacts | null;
  shape: Shape;
  /** Set if the form can be saved without a picture. */
  removeLabel?: string;
}

export function PictureField({ picture, shape, removeLabel, upload, ...field }: PictureFieldProps) {
  const { disabled } = field;
  const { state, cropping } = upload;
  return (
    <UploadField
      {...field}
      upload={upload}
      held={picture}
      accept={pictureContentTypes.join()}
      boxClass="flex flex-wrap items-center gap-5"
    >
      {({ input, hint, inputId }) => (
        <>
          <Preview state={state} picture={picture} shape={shape} />
          <div className="grid min-w-[min(13rem,100%)] flex-1 gap-3">
            {input}
            {hint}
            {state.step === 'uploading' && (
              <UploadProgress
                label="Upload"
                value={state.progress}
                told={`${Math.round(state.progress * 100)} %`}
                onCancel={upload.cancel}
              />
            )}
            <div className="flex flex-wrap gap-2 empty:hidden">
              <UploadButtons upload={upload} disabled={disabled} removeLabel={picture && removeLabel} />
            </div>
          </div>
          {cropping && (
            <CropDialog
              {...cropping}
              ratio={upload.ratio}
              isFace={shape === 'square'}
              limitBytes={upload.limitBytes}
              tooLarge={cropping.file.size > upload.limitBytes ? upload.tooLarge : undefined}
              onUse={upload.endCropping}
              onCancel={() => upload.endCropping()}
              onClosed={() => document.getElementById(inputId)?.focus()}
            />
          )}
        </>
      )}
    </UploadField>
  );
}

interface PreviewProps {
  state: UploadState;
  picture: PictureFacts | null;
  shape: Shape;
}

function Preview({ state, picture, shape }: PreviewProps) {
  const box = classNames(
    'border-line bg-surface text-muted grid shrink-0 place-items-center overflow-hidden rounded-card border [&>picture]:contents',
    boxes[shape],
  );
  return (
    <div className={box}>
      {state.step !== 'idle' ? (
        <img
          src={state.preview}
          alt="Preview of the chosen file"
          className="behind-transparent h-full w-full object-cover"
        />
      ) : picture ? (
        <Picture picture={picture} alt="Current picture" sizes={shape === 'banner' ? '18rem' : '11rem'} />
      ) : (
        <UploadIcon />
      )}
    </div>
  );
}
