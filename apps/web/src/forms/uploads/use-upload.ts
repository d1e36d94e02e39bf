import { useEffect, useRef, useState } from 'react';
import { ApiError, type Reason } from '../../api/http.ts';
import { messageFor, type Words } from '../../api/messages.ts';

interface UploadOptions<T> {
  send: (file: File, onProgress: (fraction: number) => void, signal: AbortSignal) => Promise<T>;
  /** The messages of a failed attempt, if the server does not describe the problem. */
  words: Words;
  /** Runs with the finished upload, and with null after its removal. */
  onChange: (uploaded: T | null) => void;
}

/** `preview`: a blob address of the chosen file. */
export type UploadState =
  | { step: 'idle' }
  | { step: 'uploading'; file: File; preview: string; progress: number }
  | { step: 'failed'; file: File; preview: string; error: string };

export type Upload = ReturnType<typeof useUpload>;

interface Attempt {
  file: File;
  preview: string;
  abort: AbortController;
  ended: Promise<boolean>;
}

/**
 * One file of a form. The upload starts immediately, and can be cancelled or retried. The caller decides
 * which files to refuse.
 */
export function useUpload<T>({ send, words, onChange }: UploadOptions<T>) {
  const [state, setState] = useState<UploadState>({ step: 'idle' });
  const [refusal, setRefusal] = useState<string>();
  const current = useRef<Attempt>(undefined);
  const cancels = useRef(0);

  useEffect(() => () => drop(current), []);

  function start(file: File): void {
    drop(current);
    setRefusal(undefined);
    const attempt = { file, preview: URL.createObjectURL(file), abort: new AbortController() };
    current.current = { ...attempt, ended: run(attempt) };
  }

  /** Resolves to false if the upload failed, so that the form is not sent. */
  async function run({ file, preview, abort: { signal } }: Omit<Attempt, 'ended'>): Promise<boolean> {
    const progressed = (progress: number) => {
      if (!signal.aborted) setState({ step: 'uploading', file, preview, progress });
    };
    progressed(0);
    try {
      const uploaded = await send(file, progressed, signal);
      if (signal.aborted) return true;
      onChange(uploaded);
      setState({ step: 'idle' });
      drop(current);
      return true;
    } catch (error) {
      if (signal.aborted) return true;
      console.error(error);
      setState({ step: 'failed', file, preview, error: verdictOf(error) ?? messageFor(words, error) });
      return false;
    }
  }

  function cancel(): void {
    cancels.current += 1;
    drop(current);
    setState({ step: 'idle' });
    setRefusal(undefined);
  }

  return {
    state,
    /** The file that is not part of the form's values yet. */
    pending: state.step === 'idle' ? undefined : state.file,
    refusal,
    /** Shows why a file is not sent. */
    refuse: setRefusal,
    start,
    cancel,
    retry: () => current.current && start(current.current.file),
    remove: () => {
      cancel();
      onChange(null);
    },
    /**
     * Waits for an upload in progress and its replacement. Resolves to false if the last one failed, or if
     * one was cancelled during the wait.
     */
    settled: async () => {
      const before = cancels.current;
      for (let seen = current.current; seen; seen = current.current) {
        const ended = await seen.ended;
        if (current.current === seen) return ended;
      }
      return cancels.current === before;
    },
  };
}

const verdicts: ReadonlySet<Reason> = new Set(['unsupported_picture', 'too_large', 'limit_reached']);

/** The server's message about the file itself or its size, written for the user. */
export function verdictOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  return error.fields[0]?.message ?? (verdicts.has(error.reason) ? error.message : undefined);
}

/** Ends an attempt: aborts its upload, and frees the memory of its preview. */
function drop(current: { current: Attempt | undefined }): void {
  const attempt = current.current;
  if (!attempt) return;
  current.current = undefined;
  attempt.abort.abort();
  URL.revokeObjectURL(attempt.preview);
}
