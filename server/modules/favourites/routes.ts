import { z } from 'zod'

import type { Database } from '../../platform/db/database.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { Id } from '../../platform/ids.ts'
import { addFavourite, listFavourites, removeFavourite } from './favourites.ts'
import { Favourite, FavouriteCreate } from './schemas.ts'

export const favouriteRoutes = ({ db }: { db: Database }): Route[] => [
  route(
    {
      method: 'GET',
      path: '/favourites',
      name: 'list_favourites',
      toolSet: 'administration',
      summary: 'List whom you have as favourites in your phone',
      reply: { 200: z.object({ favourites: z.array(Favourite) }) },
    },
    async ({ actor }) => ({ favourites: await listFavourites(db.sql, actor) }),
  ),
  route(
    {
      method: 'POST',
      path: '/favourites',
      name: 'add_favourite',
      toolSet: 'administration',
      summary: 'Add a number or a coworker to your favourites',
      body: FavouriteCreate,
      example: { phone: '+4520304050' },
      reply: { 201: Favourite },
      refusals: { 404: { when: 'There is no such coworker: `not_found`.' } },
    },
    ({ actor, body }) => db.tx((tx) => addFavourite(tx, actor, body)),
  ),
  route(
    {
      method: 'DELETE',
      path: '/favourites/:id',
      name: 'remove_favourite',
      toolSet: 'administration',
      summary: 'Remove one of your favourites',
      params: z.object({ id: Id('fav') }),
      reply: { 204: null },
    },
    ({ actor, params }) => db.tx((tx) => removeFavourite(tx, actor, params.id)),
  ),
]
