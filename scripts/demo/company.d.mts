/** A member of the demo company; those with a greater weight are more active. */
interface Member {
  readonly account: string;
  readonly realName: string;
  readonly phone: string;
  readonly weight: number;
}

export function membersOf(count: number): Member[];
