import { type PointerEvent, useRef } from 'react';
import { useText } from '../../i18n/use-words.ts';

interface ColumnHandleProps {
  readonly title: string;
  /** While it is dragged, and once more (`isFinal`) when it is let go. */
  readonly onDrag: (width: number, isFinal: boolean) => void;
}

/** The edge of a heading by which its column is made wider or narrower; by keyboard that is done in the settings. */
export function ColumnHandle({ title, onDrag }: ColumnHandleProps) {
  const text = useText();
  const start = useRef<{ readonly x: number; readonly width: number; frame: number }>(undefined);
  const widthAt = ({ clientX }: PointerEvent) => (start.current ? start.current.width + clientX - start.current.x : 0);

  const begin = (event: PointerEvent<HTMLSpanElement>) => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { x: event.clientX, width: event.currentTarget.closest('th')?.getBoundingClientRect().width ?? 0, frame: 0 };
  };
  const drag = (event: PointerEvent) => {
    const width = widthAt(event);
    if (!start.current) return;
    cancelAnimationFrame(start.current.frame);
    start.current.frame = requestAnimationFrame(() => onDrag(width, false));
  };
  const end = (event: PointerEvent) => {
    if (!start.current) return;
    cancelAnimationFrame(start.current.frame);
    onDrag(widthAt(event), true);
    start.current = undefined;
  };
  return (
    <span
      className="crud-table__handle"
      aria-hidden="true"
      title={text('table.resize', { name: title })}
      onPointerDown={begin}
      onPointerMove={drag}
      onPointerUp={end}
      onPointerCancel={end}
    />
  );
}
