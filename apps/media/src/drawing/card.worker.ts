import { type CardTask, drawCard } from './card-drawing.ts';
import type { CardMessage } from './card-renderer.ts';

process.once('message', (task: CardTask) => {
  drawCard(task).then(
    (jpeg) => answer({ jpeg }),
    (error: unknown) => answer({ failed: String(error) }),
  );
});
// The parent process ends this one. If the parent has crashed, this process ends itself.
process.once('disconnect', () => process.exit());
process.send?.('ready');

function answer(message: CardMessage): void {
  process.send?.(message);
}
