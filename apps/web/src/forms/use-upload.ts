import { useEffect, useRef, useState } from 'react';

interface UploadOptions<T> {
  /** What is wrong with a file, before anything is sent. */
  check: (file: File) => string | undefined;
  send: (file: File, onProgress: (fraction: number) => void, signal: AbortSignal) => Promise<T>;
  /** What a failed attempt is called on screen. */
  problemOf: (error: unknown) => string;
  /** Runs with the finished upload, and with null when it is taken away. */
  onChange: (uploaded: T | null) => void;
}

/** `preview` is an address of the chosen file within this page. */
export type UploadState =
  | { step: 'idle' }
  | { step: 'uploading'; file: File; preview: string; progress: number }
  | { step: 'failed'; file: File; preview: string; error: string };

export type Upload = ReturnType<typeof useUpload>;

/** One file of a form: chosen, checked, uploaded at once, cancelled or tried again. */
export function useUpload<T>({ check, send, problemOf, onChange }: UploadOptions<T>) {
  const [state, setState] = useState<UploadState>({ step: 'idle' });
  const [refusal, setRefusal] = useState<string>();
  const file = useRef<File>(undefined);
  const abort = useRef<AbortController>(undefined);
  const running = useRef<Promise<boolean>>(undefined);

  useEffect(() => () => abort.current?.abort(), []);

  function choose(chosen: File): void {
    const problem = check(chosen);
    setRefusal(problem);
    if (problem) return;
    file.current = chosen;
    start(chosen);
  }

  function start(chosen: File): void {
    abort.current?.abort();
    const controller = new AbortController();
    abort.current = controller;
    running.current = run(chosen, controller);
  }

  /** Resolves whether the form may go on with what it has. */
  async function run(chosen: File, controller: AbortController): Promise<boolean> {
    const preview = URL.createObjectURL(chosen);
    const show = (next: UploadState) => {
      if (abort.current === controller) setState(next);
    };
    const progressed = (progress: number) => show({ step: 'uploading', file: chosen, preview, progress });
    progressed(0);
    try {
      onChange(await send(chosen, progressed, controller.signal));
      show({ step: 'idle' });
      URL.revokeObjectURL(preview);
      return true;
    } catch (error) {
      if (controller.signal.aborted) return true;
      console.error(error);
      show({ step: 'failed', file: chosen, preview, error: problemOf(error) });
      return false;
    }
  }

  function cancel(): void {
    abort.current?.abort();
    abort.current = undefined;
    running.current = undefined;
    setState({ step: 'idle' });
    setRefusal(undefined);
  }

  return {
    state,
    refusal,
    choose,
    cancel,
    retry: () => file.current && start(file.current),
    remove: () => {
      cancel();
      onChange(null);
    },
    /** Waits for an upload under way; false when it failed. */
    settled: async () => (await running.current) ?? true,
  };
}
