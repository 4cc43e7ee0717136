import type { ReactNode } from 'react';
import type { Tone } from '#shared/fields';
import './cells.css';

interface TagProps {
  readonly tone?: Tone | undefined;
  readonly children: ReactNode;
}

/** Renders a short text in a tone that is legible in every theme; without a tone, plain text. */
export function Tag({ tone, children }: TagProps) {
  return tone ? <span className={`cell_tag cell_tag_${tone}`}>{children}</span> : <span className="cell">{children}</span>;
}
