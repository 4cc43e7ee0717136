import { Object as Obj, String as Str, Optional, Unsafe, Integer, Array as Arr, Type, type Static, type TSchema } from 'typebox';
const f = Str({ title: 'x', field: { search: true } });
const o = Obj({ a: f, b: Optional(Unsafe<string | null>({ type: ['string', 'null'] })) });
type T = Static<typeof o>;
const t: T = { a: 'x' };
console.log(JSON.stringify(o), t);
