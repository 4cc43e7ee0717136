import { menuIconPaths } from './menu-icon-paths.ts';

/** Renders a menu entry's icon; an unknown name, such as an icon class of another console, gets the default one. */
export function MenuIcon({ name }: { readonly name: string }) {
  const drawing = Object.hasOwn(menuIconPaths, name) ? menuIconPaths[name] : menuIconPaths.file;
  return (
    <svg
      className="arco-icon"
      width="1em"
      height="1em"
      viewBox="0 0 48 48"
      fill="none"
      stroke="currentColor"
      strokeWidth={4}
      aria-hidden="true"
      focusable="false"
    >
      <path d={drawing?.stroke} />
      {drawing?.fill && <path d={drawing.fill} fill="currentColor" stroke="none" fillRule="evenodd" />}
    </svg>
  );
}
