import { type StoredFile, uploadBytes, uploadTooLarge } from '@stoa/contracts';
import { useEffect, useRef, useState } from 'react';
import { creatorErrorMessages } from '../../api/creator/creator-messages.ts';
import { messageFor } from '../../api/messages.ts';
import { uploadFile } from './upload.ts';
import { verdictOf } from './use-upload.ts';

/** A file in upload, or one whose upload failed. */
export interface FileAttempt {
  readonly key: string;
  readonly file: File;
  /** The id of the file that it replaces. */
  readonly replaces: string | undefined;
  readonly step: 'uploading' | 'failed';
  readonly progress: number;
  readonly error?: string;
}

interface Running {
  readonly abort: AbortController;
  readonly ended: Promise<boolean>;
}

export type FileUploads = ReturnType<typeof useFiles>;

/**
 * The files of a form. They are checked and uploaded one after the other, and each can be cancelled or
 * retried.
 */
export function useFiles(onUploaded: (stored: StoredFile, replaces: string | undefined) => void) {
  const [attempts, setAttempts] = useState<readonly FileAttempt[]>([]);
  const [refusal, setRefusal] = useState<string>();
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const running = useRef(new Map<string, Running>());
  const cancels = useRef(0);

  useEffect(() => {
    const left = running.current;
    return () => {
      for (const { abort } of left.values()) abort.abort();
    };
  }, []);

  const update = (key: string, changes: Partial<FileAttempt>) =>
    setAttempts((now) => now.map((one) => (one.key === key ? { ...one, ...changes } : one)));

  function forget(key: string): void {
    running.current.delete(key);
    setAttempts((now) => now.filter((one) => one.key !== key));
  }

  function start(attempt: FileAttempt): void {
    const abort = new AbortController();
    const ended = queue.current.then(() => run(attempt, abort.signal));
    queue.current = ended;
    running.current.set(attempt.key, { abort, ended });
  }

  /** Resolves to false if the upload failed, so that the form is not sent. */
  async function run({ key, file, replaces }: FileAttempt, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return true;
    try {
      const progressed = (progress: number) => signal.aborted || update(key, { progress });
      const stored = await uploadFile(file, progressed, signal);
      if (signal.aborted) return true;
      onUploaded(stored, replaces);
      forget(key);
      return true;
    } catch (error) {
      if (signal.aborted) return true;
      console.error(error);
      const words = verdictOf(error) ?? messageFor(creatorErrorMessages.fileUpload, error);
      update(key, { step: 'failed', error: words });
      return false;
    }
  }

  function cancel(key: string): void {
    running.current.get(key)?.abort.abort();
    forget(key);
  }

  return {
    attempts,
    /** Why a chosen file is not uploaded. */
    refusal,
    /** Clears the refusal after another choice. */
    clearRefusal: () => setRefusal(undefined),
    /** Starts up to `room` files, or one that replaces another. */
    choose: (files: readonly File[], room: number, replaces?: string) => {
      const problems = files.map(refusalOf);
      const fit = files.filter((_, index) => !problems[index]);
      setRefusal(problems.find(Boolean) ?? (fit.length > room ? noRoom(room) : undefined));
      const step = 'uploading' as const;
      const begun = fit
        .slice(0, room)
        .map((file) => ({ key: crypto.randomUUID(), file, replaces, step, progress: 0 }));
      if (replaces !== undefined)
        for (const { key } of attempts.filter((one) => one.replaces === replaces)) cancel(key);
      setAttempts((now) => [...now, ...begun]);
      for (const attempt of begun) start(attempt);
    },
    cancel: (key: string) => {
      setRefusal(undefined);
      cancels.current += 1;
      cancel(key);
    },
    cancelAll: () => {
      setRefusal(undefined);
      cancels.current += 1;
      for (const key of [...running.current.keys()]) cancel(key);
      setAttempts([]);
    },
    retry: (attempt: FileAttempt) => {
      setRefusal(undefined);
      const again = { ...attempt, step: 'uploading' as const, progress: 0 };
      update(attempt.key, again);
      start(again);
    },
    /**
     * Waits for all uploads in progress and their replacements. Resolves to false if one failed, or was
     * cancelled during the wait.
     */
    settled: async (): Promise<boolean> => {
      const before = cancels.current;
      for (;;) {
        const seen = new Map(running.current);
        await Promise.all([...seen.values()].map(({ ended }) => ended));
        if (cancels.current !== before) return false;
        const now = [...running.current];
        if (now.every(([key, one]) => seen.get(key) === one))
          return (await Promise.all(now.map(([, { ended }]) => ended))).every(Boolean);
      }
    },
  };
}

const noRoom = (room: number) =>
  room > 0
    ? `There is room for ${room} more ${room === 1 ? 'file' : 'files'}.`
    : 'There is no room for more files.';

function refusalOf({ size }: File): string | undefined {
  if (size === 0) return 'The file is empty.';
  return size > uploadBytes['offering-file'] ? uploadTooLarge['offering-file'] : undefined;
}
