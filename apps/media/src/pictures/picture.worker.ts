import { encodePicture, type PictureTask, UnsupportedPicture } from './picture-decoding.ts';
import type { PictureMessage } from './picture-encoder.ts';

// Each process handles only one picture, so that hostile bytes affect no other picture.
process.once('message', (task: PictureTask) => {
  encodePicture(task).then(
    (picture) => answer({ picture }),
    (error: unknown) =>
      answer(
        error instanceof UnsupportedPicture ? { unsupported: error.message } : { failed: String(error) },
      ),
  );
});
// The parent process ends this one. If the parent has crashed, this process ends itself.
process.once('disconnect', () => process.exit());
process.send?.('ready');

function answer(message: PictureMessage): void {
  process.send?.(message);
}
