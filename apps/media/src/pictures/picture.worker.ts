import { encodePicture, type PictureTask, UnsupportedPicture } from './picture-decoding.ts';
import type { PictureMessage } from './picture-encoder.ts';

// One process per picture, so that hostile bytes affect no other picture.
process.once('message', (task: PictureTask) => {
  encodePicture(task).then(
    (picture) => answer({ picture }),
    (error: unknown) =>
      answer(
        error instanceof UnsupportedPicture ? { unsupported: error.message } : { failed: String(error) },
      ),
  );
});
// The parent ends this process. Without a parent the process ends itself.
process.once('disconnect', () => process.exit());
process.send?.('ready');

function answer(message: PictureMessage): void {
  process.send?.(message);
}
