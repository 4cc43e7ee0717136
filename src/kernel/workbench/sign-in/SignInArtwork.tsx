import styles from './SignInArtwork.module.css';

const board = { left: 90, top: 70, width: 380, height: 190 };
/** Distance of the bulbs around the sign: 14 along its width, 7 along its height. */
const step = board.width / 14;

const lines = [
  { x: 150, y: 128, width: 190 },
  { x: 150, y: 158, width: 260 },
  { x: 150, y: 188, width: 150 },
];

/** Draws a theatre marquee at night: a lit sign, and below it the tasks that were carried out. */
export function SignInArtwork() {
  return (
    <svg className={styles.artwork} viewBox="0 0 560 420" aria-hidden="true" focusable="false">
      <defs>
        <radialGradient id="artwork-glow">
          <stop offset="0" stopColor="var(--brand)" stopOpacity="0.5" />
          <stop offset="1" stopColor="var(--brand)" stopOpacity="0" />
        </radialGradient>
        <linearGradient id="artwork-board" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#ffffff" />
          <stop offset="1" stopColor="var(--on-deep-soft)" />
        </linearGradient>
      </defs>
      <ellipse cx="280" cy="165" rx="280" ry="170" fill="url(#artwork-glow)" />
      <path d="M120 40h320l22 30H98z" fill="var(--brand-deepest)" />
      <path d="M210 40l14-22h112l14 22z" fill="var(--brand-deeper)" />
      <rect x={board.left - 16} y={board.top - 16} width={board.width + 32} height={board.height + 32} rx="18" fill="var(--brand-deepest)" />
      <rect x={board.left + 16} y={board.top + 16} width={board.width - 32} height={board.height - 32} rx="8" fill="url(#artwork-board)" />
      <Bulbs className={styles.bulb} offset={0} />
      <Bulbs className={styles.bulbLate} offset={-step} />
      {lines.map(({ x, y, width }, at) => (
        <g key={y}>
          <rect x={x - 20} y={y - 1} width="12" height="12" rx="3" fill={at === 0 ? '#ffb938' : 'var(--brand)'} />
          <rect x={x} y={y} width={width} height="10" rx="5" fill={at === 0 ? 'var(--brand-deep)' : 'rgb(var(--primary-3))'} />
        </g>
      ))}
      <path d="M352 196l10 10 20-22" fill="none" stroke="#21a366" strokeWidth="7" strokeLinecap="round" strokeLinejoin="round" />
      <TaskCard x={64} y={304} tone="var(--brand)" />
      <TaskCard x={216} y={320} tone="#ffb938" />
      <TaskCard x={368} y={304} tone="#45c58b" />
    </svg>
  );
}

/** Draws every second bulb around the sign as the round dots of one dashed line, so that they light up as one element. */
function Bulbs({ className, offset }: { readonly className: string | undefined; readonly offset: number }) {
  const { left: x, top: y, width, height } = board;
  return (
    <rect
      className={className}
      {...{ x, y, width, height }}
      fill="none"
      stroke="#ffd479"
      strokeWidth="11"
      strokeLinecap="round"
      strokeDasharray={`0 ${2 * step}`}
      strokeDashoffset={offset}
    />
  );
}

function TaskCard({ x, y, tone }: { readonly x: number; readonly y: number; readonly tone: string }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect width="128" height="84" rx="10" fill="#ffffff" fillOpacity="0.12" stroke="#ffffff" strokeOpacity="0.28" />
      <circle cx="24" cy="26" r="11" fill={tone} />
      <path d="M19 26l4 4 7-8" fill="none" stroke="#fff" strokeWidth="2.6" strokeLinecap="round" strokeLinejoin="round" />
      <rect x="44" y="20" width="66" height="8" rx="4" fill="#fff" fillOpacity="0.75" />
      <rect x="14" y="50" width="96" height="6" rx="3" fill="#fff" fillOpacity="0.38" />
      <rect x="14" y="64" width="60" height="6" rx="3" fill="#fff" fillOpacity="0.38" />
    </g>
  );
}
