import type { ReactNode } from 'react';
import { isOperator } from './sign-in.ts';

export function OnlyOperators({ children }: { children: ReactNode }): ReactNode {
  return isOperator() && children;
}
