import { type PointerEvent, useState } from 'react';
import { useTranslation } from '#kernel';
import { workbenchMessages } from './messages.ts';
import { maxZoom, minZoom, type View } from './picture-view.ts';
import styles from './Workbench.module.css';

interface ImageViewerProps {
  readonly images: readonly string[];
  readonly index: number;
  readonly view: View;
  readonly onPlace: (place: number) => void;
  readonly onView: (view: View) => void;
}

/** Shows the pictures of a proof: one large, which can be zoomed, rotated and moved, and thumbnails of the others. */
export function ImageViewer({ images, index: place, view, onPlace, onView }: ImageViewerProps) {
  const t = useTranslation();
  const [broken, setBroken] = useState<ReadonlySet<string>>(new Set());
  const link = images[place];
  if (!link) return <p className={styles.noImages}>{t(workbenchMessages.noImages)}</p>;
  const name = t(workbenchMessages.imageOf, { number: place + 1, count: images.length });
  const drag = ({ buttons, movementX, movementY }: PointerEvent) => {
    if (buttons === 1) onView({ ...view, x: view.x + movementX, y: view.y + movementY });
  };
  return (
    <div className={styles.viewer}>
      <div
        className={styles.stage}
        onPointerMove={drag}
        onWheel={({ deltaY }) => onView({ ...view, zoom: clamped(view.zoom * (deltaY < 0 ? 1.15 : 1 / 1.15)) })}
      >
        {broken.has(link) ? (
          <p>{t(workbenchMessages.brokenImage)}</p>
        ) : (
          <img
            src={link}
            alt={name}
            draggable={false}
            data-sideways={view.turn % 180 !== 0 || undefined}
            style={{ transform: `translate(${view.x}px, ${view.y}px) rotate(${view.turn}deg) scale(${view.zoom})` }}
            onError={() => setBroken(new Set([...broken, link]))}
          />
        )}
      </div>
      {images.length > 1 && (
        <ul className={styles.strip}>
          {images.map((one, at) => (
            <li key={one}>
              <button
                type="button"
                aria-current={at === place}
                aria-label={t(workbenchMessages.imageOf, { number: at + 1, count: images.length })}
                onClick={() => onPlace(at)}
              >
                <img src={one} alt="" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const clamped = (zoom: number) => Math.min(maxZoom, Math.max(minZoom, zoom));
