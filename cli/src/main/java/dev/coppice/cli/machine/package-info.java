/** Commands about the machines of a coordinator: certificates, services, runners elsewhere. */
@NullMarked
package dev.coppice.cli.machine;

import org.jspecify.annotations.NullMarked;
