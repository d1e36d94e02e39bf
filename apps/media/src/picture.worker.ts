import { encodePicture, type PictureTask, UnsupportedPicture } from './picture-decoding.ts';
import type { PictureAnswer } from './picture-encoder.ts';

// One picture, one process: whatever its bytes leave behind in here goes with it.
process.once('message', (task: PictureTask) => {
  encodePicture(task).then(
    (picture) => answer({ picture }),
    (error: unknown) =>
      answer(
        error instanceof UnsupportedPicture ? { unsupported: error.message } : { failed: String(error) },
      ),
  );
});
// The parent ends this process; when it is gone, the process ends itself.
process.once('disconnect', () => process.exit());
process.send?.('ready');

function answer(said: PictureAnswer): void {
  process.send?.(said);
}
