import { type PointerEvent, useRef, useState } from 'react';
import { useTranslation } from '#kernel';
import { workbenchMessages } from './messages.ts';
import styles from './Workbench.module.css';

/** Zoom, rotation and offset of a picture. */
export interface ImageView {
  readonly zoom: number;
  /** Rotation in degrees. */
  readonly rotation: number;
  readonly x: number;
  readonly y: number;
}

export const defaultView: ImageView = { zoom: 1, rotation: 0, x: 0, y: 0 };
const minZoom = 0.2;
const maxZoom = 8;
const zoomFactor = 1.4;
const [tapDistance, swipeDistance, touchZoom] = [8, 48, 2.5];

const clamp = (zoom: number) => Math.min(maxZoom, Math.max(minZoom, zoom));
export const zoomIn = (view: ImageView): ImageView => ({ ...view, zoom: clamp(view.zoom * zoomFactor) });
export const zoomOut = (view: ImageView): ImageView => ({ ...view, zoom: clamp(view.zoom / zoomFactor) });
export const rotateRight = (view: ImageView): ImageView => ({ ...view, rotation: (view.rotation + 90) % 360 });

interface ImageViewerProps {
  readonly images: readonly string[];
  readonly index: number;
  readonly view: ImageView;
  readonly onIndex: (index: number) => void;
  readonly onView: (view: ImageView) => void;
}

/** Shows the pictures of a proof: one large, which can be zoomed, rotated and moved, and thumbnails of the others. */
export function ImageViewer({ images, index, view, onIndex, onView }: ImageViewerProps) {
  const t = useTranslation();
  const [broken, setBroken] = useState<ReadonlySet<string>>(new Set());
  const pressedAt = useRef<readonly [x: number, y: number]>([0, 0]);
  const link = images[index];
  if (!link) return <p className={styles.noImages}>{t(workbenchMessages.noImages)}</p>;
  const name = t(workbenchMessages.imageOf, { number: index + 1, count: images.length });
  const isWhole = view.zoom === 1;
  const drag = ({ buttons, movementX, movementY, pointerType }: PointerEvent) => {
    if (buttons === 1 && !(isWhole && pointerType === 'touch')) onView({ ...view, x: view.x + movementX, y: view.y + movementY });
  };
  /** On a touch screen a swipe shows the next picture, and a tap enlarges the picture or shows it whole again. */
  const release = ({ clientX, clientY, pointerType }: PointerEvent) => {
    const [fromX, fromY] = pressedAt.current;
    const [x, y] = [clientX - fromX, clientY - fromY];
    if (pointerType !== 'touch') return;
    if (Math.hypot(x, y) < tapDistance) onView(isWhole ? { ...view, zoom: touchZoom } : defaultView);
    else if (isWhole && Math.abs(x) > swipeDistance && Math.abs(x) > Math.abs(y)) onIndex(index + (x < 0 ? 1 : -1));
  };
  return (
    <div className={styles.viewer}>
      <div
        className={styles.stage}
        data-whole={isWhole}
        onPointerDown={({ clientX, clientY }) => {
          pressedAt.current = [clientX, clientY];
        }}
        onPointerMove={drag}
        onPointerUp={release}
        onWheel={({ deltaY }) => onView({ ...view, zoom: clamp(view.zoom * (deltaY < 0 ? 1.15 : 1 / 1.15)) })}
      >
        {broken.has(link) ? (
          <p>{t(workbenchMessages.brokenImage)}</p>
        ) : (
          <img
            src={link}
            alt={name}
            draggable={false}
            data-sideways={view.rotation % 180 !== 0 || undefined}
            style={{ transform: `translate(${view.x}px, ${view.y}px) rotate(${view.rotation}deg) scale(${view.zoom})` }}
            onError={() => setBroken(new Set([...broken, link]))}
          />
        )}
      </div>
      {images.length > 1 && (
        <ul className={styles.strip}>
          {images.map((image, position) => (
            <li key={image}>
              <button
                type="button"
                aria-current={position === index}
                aria-label={t(workbenchMessages.imageOf, { number: position + 1, count: images.length })}
                onClick={() => onIndex(position)}
              >
                <img src={image} alt="" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
