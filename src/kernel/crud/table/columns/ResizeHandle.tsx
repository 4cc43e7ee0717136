import { type PointerEvent, useRef } from 'react';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';

interface ResizeHandleProps {
  readonly title: string;
  /** Called while the edge is dragged, and once more with `isFinal` when it is released. */
  readonly onDrag: (width: number, isFinal: boolean) => void;
}

/** Renders the edge of a heading that resizes its column; keyboard users resize in the settings. */
export function ResizeHandle({ title, onDrag }: ResizeHandleProps) {
  const t = useTranslation();
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
      title={t('table.resize', { name: title })}
      onPointerDown={begin}
      onPointerMove={drag}
      onPointerUp={end}
      onPointerCancel={end}
    />
  );
}
