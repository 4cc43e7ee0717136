import styles from './SignDrawing.module.css';

const badges = {
  forbidden: <path d="M-7 0h14v10H-7zM-4 0v-4a4 4 0 0 1 8 0v4" />,
  lost: <path d="M-5 -4a5 5 0 1 1 7 4.6C0.4 1.6 0 3 0 5M0 9v.01" />,
  broken: <path d="M2 -10L-6 2h5L-3 11 6 -2H1z" />,
} as const;

/** Drawings of an illuminated sign: lit, dark, empty or with a part missing. */
export type Scene = 'empty' | 'search' | 'forbidden' | 'lost' | 'broken' | 'offline' | 'plugin';

/** Selects the drawing. */
export interface IllustrationProps {
  readonly scene: Scene;
  /** Number on the sign. */
  readonly status?: number | undefined;
}

/** Draws in the colours of the theme; the drawing is hidden from screen readers. */
export default function SignDrawing({ scene, status }: IllustrationProps) {
  const isDark = scene === 'broken' || scene === 'offline';
  return (
    <svg className={styles.scene} viewBox="0 0 220 150" aria-hidden="true" focusable="false">
      <ellipse cx="110" cy="138" rx="84" ry="8" className={styles.ground} />
      <path d="M78 118v18M142 118v18" className={styles.pole} />
      <g transform={scene === 'lost' ? 'rotate(-5 110 72)' : undefined}>
        <rect x="34" y="28" width="152" height="90" rx="14" className={styles.frame} />
        <rect x="46" y="40" width="128" height="66" rx="6" className={styles.board} />
        {Array.from({ length: 9 }, (_, at) => [42 + 17 * at, 34, 112] as const).map(([x, top, bottom]) => (
          <g key={x} className={isDark ? styles.unlit : styles.lit}>
            <circle cx={x} cy={top} r="3.2" />
            <circle cx={x} cy={bottom} r="3.2" />
          </g>
        ))}
        {status === undefined ? (
          <OnSign scene={scene} />
        ) : (
          <text x="110" y="87" textAnchor="middle" className={styles.figures}>
            {status}
          </text>
        )}
      </g>
      {scene in badges && (
        <g transform="translate(184 110)">
          <circle r="21" className={styles.badge} />
          <g className={styles.sign}>{badges[scene as keyof typeof badges]}</g>
        </g>
      )}
    </svg>
  );
}

function OnSign({ scene }: { readonly scene: Scene }) {
  if (scene === 'search')
    return (
      <g className={styles.line}>
        <path d="M60 58h40M60 73h26M60 88h34" />
        <g className={styles.accent}>
          <circle cx="132" cy="68" r="17" />
          <path d="M144.5 81l15 16" />
        </g>
      </g>
    );
  if (scene === 'offline')
    return (
      <g className={styles.accent}>
        <path d="M84 84c-10-16 16-30 26-15 15-6 24 10 14 19M92 90h18" />
        <path d="M82 56l52 42" />
      </g>
    );
  if (scene === 'plugin')
    return (
      <g>
        <path d="M62 54h36v38H62z" className={styles.filled} />
        <path d="M122 54h11a6 6 0 1 1 12 0h11v38h-34V79a6 6 0 1 0 0-12z" className={styles.missing} />
      </g>
    );
  return (
    <g className={styles.line}>
      <path d="M62 56h12M84 56h70M62 73h12M84 73h48M62 90h12M84 90h60" />
    </g>
  );
}
