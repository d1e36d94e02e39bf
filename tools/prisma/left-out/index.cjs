// Empty. Prisma's command line loads this file instead of its Studio and its development servers. They take
// 110 MB and are not used here; "npx prisma@7.10.0 studio" outside of this repository includes them.
