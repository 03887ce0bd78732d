package dev.coppice.wire.removal;

import dev.coppice.wire.Field;

/** A backup file. */
public record BackupView(
        @Field("its name") String file,
        @Field("the SHA-256 of the whole file") String sha256,
        @Field("its bytes") long size) {}
