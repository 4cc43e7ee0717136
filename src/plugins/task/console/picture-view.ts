/** Zoom, rotation and offset of a picture. */
export interface View {
  readonly zoom: number;
  /** Rotation in degrees. */
  readonly turn: number;
  readonly x: number;
  readonly y: number;
}

export const asItIs: View = { zoom: 1, turn: 0, x: 0, y: 0 };
export const smallest = 0.2;
export const largest = 8;
const step = 1.4;

export const closer = (view: View): View => ({ ...view, zoom: Math.min(largest, view.zoom * step) });
export const further = (view: View): View => ({ ...view, zoom: Math.max(smallest, view.zoom / step) });
export const turned = (view: View): View => ({ ...view, turn: (view.turn + 90) % 360 });
