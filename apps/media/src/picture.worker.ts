import { encodePicture, type PictureTask, UnsupportedPicture } from './picture.decoding.ts';
import type { PictureAnswer } from './picture.encoder.ts';

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
// Whoever asked ends this process; if they are gone, it ends itself.
process.once('disconnect', () => process.exit());
process.send?.('ready');

function answer(said: PictureAnswer): void {
  process.send?.(said);
}
