-- CreateTable
CREATE TABLE "realm_reading" (
    "stream" TEXT NOT NULL,
    "read_to" TIMESTAMPTZ(3) NOT NULL,
    "read_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "realm_reading_pkey" PRIMARY KEY ("stream")
);

-- CreateTable
CREATE TABLE "realm_event" (
    "id" TEXT NOT NULL,
    "stream" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "realm_event_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "realm_event_stream_at_idx" ON "realm_event"("stream", "at");
