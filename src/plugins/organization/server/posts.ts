import { sql } from 'drizzle-orm';
import { ApiError, type Database, queryRows, type Repository, repositoryOf } from '#server';
import { organizationProblems, Post } from '../contract.ts';

/** Repository of positions; a position that users hold cannot be deleted. */
export function postsOf(db: Database): Repository<typeof Post> {
  return repositoryOf(db, Post, {
    unique: [{ fields: ['postCode'] }],
    async beforeRemove(rows) {
      const [held] = await queryRows<{ id: string }>(
        db,
        sql`select up.post_id::text as id from user_post up join user_account u on u.id = up.user_id and u.is_deleted = 0
            where up.post_id in ${rows.map(({ id }) => id)} limit 1`,
      );
      const post = rows.find(({ id }) => id === held?.id);
      if (post) throw new ApiError(organizationProblems.postHasMembers, { name: post.postName });
    },
  });
}
