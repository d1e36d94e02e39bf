import { render, screen } from '@testing-library/react';
import { expect, jest, test } from '@jest/globals';
import { useResource } from './resource.ts';

test('an entry in use is never evicted from the cache', async () => {
  const read = jest.fn((what: string) => Promise.resolve(what));
  function Pages({ beside }: { beside: number }) {
    const kept = useResource('kept', () => read('kept'));
    const other = useResource(`other ${beside}`, () => read(`other ${beside}`));
    return (
      <p>
        {kept.data ?? 'nothing'} and {other.data ?? 'nothing'}
      </p>
    );
  }
  const { rerender } = render(<Pages beside={0} />);
  for (let beside = 0; beside < 70; beside += 1) {
    rerender(<Pages beside={beside} />);
    await screen.findByText(`kept and other ${beside}`);
  }
  expect(read.mock.calls.filter(([what]) => what === 'kept')).toHaveLength(1);
});
