// Empty. Prisma's command line loads it in place of its Studio and its development servers, which nobody uses here and
// which bring 110 MB; "npx prisma@7.10.0 studio" outside of this repository has them.
