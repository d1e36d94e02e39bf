import type { ReactNode } from 'react';
import { isOperator } from './sign-in.ts';

/** What is there for those alone who decide about reports. */
export function OnlyOperators({ children }: { children: ReactNode }): ReactNode {
  return isOperator() && children;
}
