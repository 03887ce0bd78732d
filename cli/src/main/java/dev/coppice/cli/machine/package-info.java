/** What makes a coordinator run for years: certificates, services, and runners elsewhere. */
@NullMarked
package dev.coppice.cli.machine;

import org.jspecify.annotations.NullMarked;
