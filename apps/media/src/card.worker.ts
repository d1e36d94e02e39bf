import { type CardTask, drawCard } from './card-drawing.ts';
import type { CardAnswer } from './card-renderer.ts';

process.once('message', (task: CardTask) => {
  drawCard(task).then(
    (jpeg) => answer({ jpeg }),
    (error: unknown) => answer({ failed: String(error) }),
  );
});
// The parent ends this process; when it is gone, the process ends itself.
process.once('disconnect', () => process.exit());
process.send?.('ready');

function answer(said: CardAnswer): void {
  process.send?.(said);
}
