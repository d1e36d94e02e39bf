import { type CardTask, drawCard } from './card-drawing.ts';
import type { CardMessage } from './card-renderer.ts';

process.once('message', (task: CardTask) => {
  drawCard(task).then(
    (jpeg) => answer({ jpeg }),
    (error: unknown) => answer({ failed: String(error) }),
  );
});
// The parent ends this process. Without a parent the process ends itself.
process.once('disconnect', () => process.exit());
process.send?.('ready');

function answer(message: CardMessage): void {
  process.send?.(message);
}
